import { Component, signal } from "@angular/core";

@Component({
  selector: "shop-cart",
  template: `
    <ul>
      @for (item of items(); track item) {
        <li>{{ item.names.first }}</li>
      }
    </ul>
  `,
})
export class Cart {
  items = signal<any[]>([{ names: { first: "lamp" } }, { names: { first: "bulb" } }]);

  constructor() {
    addEventListener("shop:break", () => this.items.set([{}]));
  }
}
