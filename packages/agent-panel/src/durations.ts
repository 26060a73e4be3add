/** Formats a duration in ms: "0.4 s", "12 s", "2 min". Undefined for durations too short to show. */
export function formatDuration(ms: number | undefined): string | undefined {
  if (ms === undefined || ms < 50) return undefined
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 100_000) return `${Math.round(ms / 1000)} s`
  return `${Math.round(ms / 60_000)} min`
}
