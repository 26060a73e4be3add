import type { PanelTexts } from '../language/texts.ts'

/** Whether a duration in ms is long enough to be shown. */
export function isShown(ms: number | undefined): ms is number {
  return ms !== undefined && ms >= 50
}

/** Formats a duration in ms: "0.4 s", "12 s", "2 min". Undefined for durations too short to show. */
export function formatDuration(ms: number | undefined, texts: PanelTexts, locale: string): string | undefined {
  if (!isShown(ms)) return undefined
  const write = (value: number, digits: number) =>
    value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  if (ms < 10_000) return texts.seconds(write(ms / 1000, 1))
  return ms < 100_000 ? texts.seconds(write(ms / 1000, 0)) : texts.minutes(write(ms / 60_000, 0))
}
