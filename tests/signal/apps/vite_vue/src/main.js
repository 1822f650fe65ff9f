import { createApp } from "vue";
import App from "./App.vue";
import { start_shop } from "./shop.js";

createApp(App).mount("#root");
start_shop();
