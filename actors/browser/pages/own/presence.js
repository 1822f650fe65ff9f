// Keeps the page script from starting, since the browser tells what that would tell.
globalThis["gasoline.js"] = true;
