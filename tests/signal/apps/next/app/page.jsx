import Link from "next/link";
import { Cart } from "./Cart.jsx";
import { Start } from "./Start.jsx";

export default function Page() {
  return (
    <>
      <h1>Shop of lamps</h1>
      <Link id="about" href="/about">
        About
      </Link>
      <Link id="order-page" href="/order" prefetch={false}>
        Orders
      </Link>
      <Cart />
      <Start />
    </>
  );
}
