"use client";

// Draws on the server what it does not draw in the browser.
export function Clock() {
  return <p>{typeof window == "undefined" ? "drawn by the server" : "drawn by the browser"}</p>;
}
