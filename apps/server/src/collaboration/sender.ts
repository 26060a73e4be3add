/** Who sent an update: what the log keeps beside it, and a page's key. */
export type Sender = {
  actor: string
  run: string | null
  epoch: number | null
  /** Proves that a page which goes on under another account is the same page, see `ClientIds`. */
  key?: string | undefined
}

/** Whose what was sent is, as one string: a person's id, or `run:` and a run's. */
export function writerOf({ actor, run }: Pick<Sender, 'actor' | 'run'>): string {
  return run === null ? actor : `run:${run}`
}
