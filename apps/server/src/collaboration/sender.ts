/** Who sent an update: what the log keeps beside it, and a page's key. */
export type Sender = {
  actor: string
  run: string | null
  epoch: number | null
  /** Proves that a page which goes on under another account is the same page, see `ClientIds`. */
  key?: string | undefined
}
