import { chromium } from "playwright-core";

export const start_chromium = () =>
  chromium.launch({
    // Playwright turns the back-forward cache off.
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
