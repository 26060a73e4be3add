import { localizable } from '@copydesk/tools/localizable'
import type { Author, Reaction, ReactionEmoji } from '@copydesk/protocol'
import { type Refusal, refuse } from '../../common/errors.ts'
import type { ThreadScope } from './comment-call.ts'
import { type CommentPlace, findComment, reactionsOf } from './thread-rows.ts'

/** So many people may react to one comment with the same emoji: all clients receive their names. */
const mostPeople = 200

/** Adds a person's reaction to a comment, or removes it. Repeated calls change nothing. */
export async function react(
  { trx }: ThreadScope,
  place: CommentPlace,
  { emoji, isOn }: { emoji: ReactionEmoji; isOn: boolean },
  { id, name }: Author,
): Promise<{ ok: true } | Refusal> {
  const found = await findComment(trx, place)
  if (!found.ok) return found
  const before = reactionsOf(found.comment)
  const people = (before.find((each) => each.emoji === emoji)?.people ?? []).filter((each) => each.id !== id)
  if (isOn && people.length >= mostPeople)
    return refuse(
      'too_large',
      localizable`A comment takes at most ${mostPeople} times the same reaction.`,
      'Choose another one.',
    )
  const changed: Reaction = { emoji, people: isOn ? [...people, { id, name }] : people }
  const isNew = !before.some((each) => each.emoji === emoji)
  const after = (isNew ? [...before, changed] : before.map((each) => (each.emoji === emoji ? changed : each))).filter(
    (each) => each.people.length > 0,
  )
  await trx
    .updateTable('comments')
    .set({ reactions: after.length === 0 ? null : JSON.stringify(after) })
    .where('document', '=', place.document)
    .where('id', '=', place.comment)
    .execute()
  return { ok: true }
}
