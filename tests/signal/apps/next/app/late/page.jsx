import { Clock } from "../Clock.jsx";

export default function Late() {
  return <Clock />;
}
