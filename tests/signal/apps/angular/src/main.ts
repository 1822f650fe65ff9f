import { bootstrapApplication } from "@angular/platform-browser";
import { provideBrowserGlobalErrorListeners } from "@angular/core";
import { App } from "./app";
// @ts-ignore
import { start_shop } from "./shop.js";

bootstrapApplication(App, { providers: [provideBrowserGlobalErrorListeners()] });
start_shop();
