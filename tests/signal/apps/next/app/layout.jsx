export default function Layout({ children }) {
  return (
    <html lang="en">
      <head>
        <link rel="icon" href="data:," />
        <script crossOrigin="" src="%ENGINE%/gasoline.js"></script>
      </head>
      <body>{children}</body>
    </html>
  );
}
