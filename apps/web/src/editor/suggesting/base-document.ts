import { differing } from '@copydesk/schema'
import { Fragment, type Node } from 'prosemirror-model'
import { differingContent } from '../common/positions.ts'

/**
 * Rebases the base document (the document without a pending, untracked edit) onto a remote change. `base` is the
 * document without the edit, `current` with it, `next` is `current` with the remote change. Where both overlap they
 * can't be told apart, and the pending edit counts as remote.
 */
export function rebaseBase(base: Node, current: Node, next: Node): Node {
  const own = differing(base.children, current.children)
  const theirs = differing(current.children, next.children)
  const ours = base.children.slice(own.first, own.oldEnd)
  const put = (shift: number, nodes: readonly Node[]): Node =>
    next.copy(splice(next.children, own.first + shift, own.newEnd + shift, nodes))
  if (own.newEnd <= theirs.first) return put(0, ours)
  if (theirs.oldEnd <= own.first) return put(theirs.newEnd - theirs.oldEnd, ours)
  const [before, now, then] = [ours[0], current.maybeChild(own.first), next.maybeChild(own.first)]
  const isOneBlock = ours.length === 1 && own.newEnd === own.first + 1 && theirs.oldEnd === theirs.newEnd
  const merged = isOneBlock && before && now && then ? withoutEdit(before, now, then) : undefined
  return merged ? put(0, [merged]) : next
}

function splice(children: readonly Node[], from: number, to: number, by: readonly Node[]): Fragment {
  return Fragment.fromArray([...children.slice(0, from), ...by, ...children.slice(to)])
}

function withoutEdit(before: Node, now: Node, then: Node): Node | undefined {
  const own = differingContent(before, now)
  const theirs = differingContent(now, then)
  if (!own) return then
  if (!theirs) return before
  const isInOneBlock =
    before.resolve(own.first).sameParent(before.resolve(own.oldEnd)) &&
    now.resolve(own.first).sameParent(now.resolve(own.newEnd))
  if (!isInOneBlock) return undefined
  const taken = before.slice(own.first, own.oldEnd)
  if (own.newEnd <= theirs.first) return then.replace(own.first, own.newEnd, taken)
  const shift = theirs.newEnd - theirs.oldEnd
  if (theirs.oldEnd <= own.first) return then.replace(own.first + shift, own.newEnd + shift, taken)
  return undefined
}
