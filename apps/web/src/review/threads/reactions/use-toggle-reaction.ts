import type { Comment, Reaction, ReactionEmoji } from '@copydesk/protocol'
import { react } from '../../../api/review.ts'
import { useAction } from '../../../ui/use-action.ts'

/** A comment, with the ids of its document and thread, and the user whose reactions are added and removed. */
export type ReactionsProps = { document: string; thread: string; comment: Comment; self: string }

/** A function that adds the user's reaction, or removes it; the comment shows it when the server has stored it. */
export function useToggleReaction({ document, thread, comment, self }: ReactionsProps): (emoji: ReactionEmoji) => void {
  return useAction((emoji: ReactionEmoji) => {
    const given = comment.reactions?.find((each) => each.emoji === emoji)
    return react(document, thread, comment.id, { emoji, isOn: !given || !isBy(given, self) })
  }).mutate
}

/** Whether a person has this reaction. */
export function isBy({ people }: Reaction, person: string): boolean {
  return people.some(({ id }) => id === person)
}
