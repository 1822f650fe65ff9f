import axios from "axios";
import { draw_cart } from "./cart.js";
import { start_shop } from "./shop.js";

const root = document.getElementById("root");
root.innerHTML = '<h1>Shop of lamps</h1><button id="about">About</button><ul id="cart"></ul>';
draw_cart();
document.getElementById("about").addEventListener("click", async () => {
  const { about } = await import("./about.js");
  root.append(about);
});
const axios_button = Object.assign(document.createElement("button"), { id: "axios" });
axios_button.addEventListener("click", () => axios.get("/api/busy"));
root.append(axios_button);
start_shop();
if (module.hot) module.hot.accept("./cart.js", draw_cart);
