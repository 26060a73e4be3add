import { Tracker, type TrackerOptions } from './tracker.ts'

/** Creates the tracker, which turns edits into suggestions. */
export function createTracker(options: TrackerOptions): Tracker {
  return new Tracker(options)
}
