import { Component, signal } from "@angular/core";
import { Cart } from "./cart";

@Component({
  selector: "shop-root",
  imports: [Cart],
  template: `
    <h1>Shop of lamps</h1>
    <button id="about" (click)="page.set('about')">About</button>
    <button id="wrong" (click)="sell()">Sell</button>
    @if (page() == "cart") {
      <shop-cart />
    } @else {
      <p>Lamps since 1971.</p>
    }
  `,
})
export class App {
  page = signal("cart");

  sell() {
    const cart: any = {};
    cart.items.pop();
  }
}
