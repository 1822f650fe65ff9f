import { mount } from "svelte";
import App from "./App.svelte";
import { start_shop } from "./shop.js";

mount(App, { target: document.getElementById("root") });
start_shop();
