/** A word about the object whose name precedes it. */
export function Badge({ text }: { text: string }) {
  return <span className="shrink-0 rounded bg-hover px-1.5 py-0.5 text-xs text-ink-soft">{text}</span>
}
