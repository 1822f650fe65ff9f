"use client";

import { useEffect, useState } from "react";

function Total({ cart }) {
  return <b>{cart.sum.amount} EUR</b>;
}

export function Cart() {
  const [cart, set_cart] = useState({ sum: { amount: 12 } });
  useEffect(() => {
    const lose = () => set_cart({});
    addEventListener("shop:break", lose);
    return () => removeEventListener("shop:break", lose);
  }, []);
  return (
    <ul>
      {["lamp", "bulb"].map((name) => (
        <li>{name}</li>
      ))}
      <Total cart={cart} />
    </ul>
  );
}
