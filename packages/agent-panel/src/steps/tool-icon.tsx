import { Icon, type IconName } from '../common/icons.tsx'

/** Icons by a word of a tool's name. The first entry with a word of the name is used. */
const icons: readonly { words: readonly string[]; icon: IconName }[] = [
  { words: ['undo', 'redo', 'revert'], icon: 'undo' },
  { words: ['plan', 'todo', 'todos'], icon: 'plan' },
  { words: ['read', 'get', 'list', 'open', 'fetch', 'load', 'view'], icon: 'read' },
  { words: ['search', 'find', 'grep', 'query'], icon: 'search' },
  { words: ['comment', 'comments', 'reply', 'message'], icon: 'comment' },
  { words: ['decide', 'accept', 'reject', 'approve', 'resolve'], icon: 'check' },
  { words: ['highlight', 'scroll', 'show', 'select'], icon: 'eye' },
  { words: ['image', 'picture', 'photo'], icon: 'image' },
  { words: ['delete', 'remove'], icon: 'trash' },
  { words: ['format', 'formatting', 'style'], icon: 'format' },
  {
    words: ['edit', 'insert', 'replace', 'update', 'set', 'write', 'create', 'add', 'move', 'suggest'],
    icon: 'pencil',
  },
]

/** The icon for the kind of action in a tool's name, such as `search_document`: `tools` for an unknown kind. */
export function toolIcon(tool: string): IconName {
  const words = new Set(
    tool
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z]+/),
  )
  return icons.find((each) => each.words.some((word) => words.has(word)))?.icon ?? 'tools'
}

/** The icon of the agent's current activity: that of the tool in use, or of thinking. It pulses, and is decorative. */
export function ActivityIcon({ tool, isWaiting = false }: { tool: string | undefined; isWaiting?: boolean }) {
  const name = isWaiting ? 'hand' : tool === undefined ? 'spark' : toolIcon(tool)
  return (
    <span aria-hidden="true" data-activity={name} className="ap-activity">
      <Icon name={name} size={15} />
    </span>
  )
}
