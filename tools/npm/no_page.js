// What `import "gasoline-telemetry/page"` is outside of development.
export {};
