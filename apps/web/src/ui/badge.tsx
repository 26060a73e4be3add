/** A word about the thing whose name stands before it. */
export function Badge({ text }: { text: string }) {
  return <span className="shrink-0 rounded bg-hover px-1.5 py-0.5 text-xs text-ink-soft">{text}</span>
}
