import { lazyComponent } from '../common/lazy-component.tsx'

/** `CopyButton`, which loads after the answers. */
export const CopyAnswer = lazyComponent(async () => (await import('./copy-button.tsx')).CopyButton)
