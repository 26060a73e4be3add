import { late } from '../common/late.tsx'

/** `CopyButton`, which loads after the answers. */
export const CopyAnswer = late(async () => (await import('./copy-button.tsx')).CopyButton)
