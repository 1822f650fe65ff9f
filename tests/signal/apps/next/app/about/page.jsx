export default function About() {
  return <p>Lamps since 1971.</p>;
}
