import { useSyncExternalStore } from 'react'
import type { ReviewState, ReviewUi } from '../editor/review/review-ui.ts'

/** The current review state. */
export function useReview(ui: ReviewUi): ReviewState {
  return useSyncExternalStore(ui.subscribe, ui.get)
}
