/** Who sent an update: what the log keeps beside it, and a page's key. */
export type Sender = {
  actor: string
  run: string | null
  epoch: number | null
  /** The share link by which a guest came. */
  link?: string | undefined
  /** Proves that a page which goes on under another account is the same page, see `ClientIds`. */
  key?: string | undefined
  /** The id of the API key with which a program sends it. */
  apiKey?: string | undefined
}

/** Those who share what one of them may use up: a person, a run, or all guests by one link. */
export function groupOf({ actor, run, link }: Pick<Sender, 'actor' | 'run' | 'link'>): string {
  return link !== undefined && run === null ? `link:${link}` : writerOf({ actor, run })
}

/** Whose what was sent is, as one string: a person's id, or `run:` and a run's. */
export function writerOf({ actor, run }: Pick<Sender, 'actor' | 'run'>): string {
  return run === null ? actor : `run:${run}`
}
