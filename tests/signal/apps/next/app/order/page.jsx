export const dynamic = "force-dynamic";

export default function Order() {
  throw new Error("no order of that number");
}
