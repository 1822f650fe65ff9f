export const draw_cart = (items = ["lamp", "bulb"]) => {
  const list = document.getElementById("cart");
  list.replaceChildren(...items.map((name) => Object.assign(document.createElement("li"), { textContent: name })));
};

addEventListener("shop:break", () => draw_cart(null));
