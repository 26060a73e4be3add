import { useSyncExternalStore } from 'react'
import type { ReviewState, ReviewUi } from '../editor/review/review-ui.ts'

/** What the interface shows of the review, kept current. */
export function useReview(ui: ReviewUi): ReviewState {
  return useSyncExternalStore(ui.subscribe, ui.get)
}
