export default {
  devIndicators: false,
  rewrites: async () => [{ source: "/api/:path*", destination: "http://localhost:%API%/api/:path*" }],
};
