import { messageKey } from '@copydesk/agent-panel'
import type { Editor } from '@tiptap/core'
import { Hash, Sparkles, UserRound } from 'lucide-react'
import { currentConversation } from '../../chat/conversations/conversations.ts'
import { sendMessage } from '../../chat/conversations/send-message.ts'
import { draftsUnder } from '../../common/drafts.ts'
import type { PaletteEntry, PaletteGroup, PaletteAdditions } from '../../common/commands/palette-additions.ts'
import { pressShortcut } from '../../common/commands/shortcut-keys.ts'
import { goToHeading } from '../../editor/outline/go-to-heading.ts'
import { readHeadings } from '../../editor/outline/text-figures.ts'
import { editingModes, modeAppearances } from '../../editor/suggesting/editing-mode.ts'
import { t } from '../../i18n/translate.ts'
import { keysOfCommenters, keysOfReaders } from '../../review/text/review-keys.ts'
import { showError } from '../../ui/toasts/toasts.tsx'
import type { DocumentCommand } from './document-commands.ts'
import { type ShortcutLine, shortcutGroups } from '../editor/shortcut-groups.ts'
import type { PaletteSourceProps } from './palette-source.tsx'

/**
 * The palette's entries for a document: its headings, its people and agents, its menu's commands and those of the
 * overview of shortcuts, as far as this user may use them, and the agent.
 */
export function readOffers(source: PaletteSourceProps, menu: readonly DocumentCommand[]): PaletteAdditions {
  return {
    groups: [headingsOf(source.editor), peopleOf(source)],
    commands: [...menu.map(fromMenu), ...fromOverview(source, menu)],
    ask: source.canComment ? (request) => void ask(source, request) : undefined,
  }
}

function headingsOf(editor: Editor): PaletteGroup {
  const entries = readHeadings(editor.state.doc).map(({ text }, index): PaletteEntry => {
    const run = () => {
      // Others may have changed the document meanwhile.
      const now = readHeadings(editor.state.doc)
      const heading = now[index]?.text === text ? now[index] : now.find((each) => each.text === text)
      if (heading) goToHeading(editor, heading.position, { takesFocus: false })
    }
    return { id: String(index), label: text, icon: Hash, run }
  })
  return { title: t('In this document'), entries }
}

function peopleOf({ connection, me, following }: PaletteSourceProps): PaletteGroup {
  const others = connection.presence.get().filter(({ id }) => id !== me.user.id)
  const entries = others.map(({ key, name, kind, activity }): PaletteEntry => {
    const icon = kind === 'agent' ? Sparkles : UserRound
    return {
      id: key,
      label: name,
      icon,
      detail: activity ?? t('Follow'),
      words: ['follow'],
      run: () => following.set(key),
    }
  })
  return { title: t('People here'), entries }
}

function fromMenu({ label, icon, keys, words, run }: DocumentCommand): PaletteEntry {
  return { id: label, label, icon, keys, words: words && [words], run }
}

function fromOverview(source: PaletteSourceProps, menu: readonly DocumentCommand[]): PaletteEntry[] {
  const { editor, ui } = source
  const known = new Set(menu.map(({ keys }) => keys))
  const lines = shortcutGroups.flatMap(({ title, lines }) => lines.map((line) => ({ ...line, title })))
  return lines
    .filter((line) => line.isTyped !== true && !known.has(line.keys[0]) && isFor(line, source))
    .map(({ title, label, needs, icon, keys: [keys = ''], words, run }) => ({
      id: `${title} ${label}`,
      label: t(label),
      detail: needs && t(needs),
      icon,
      keys,
      words: words ? [words, title] : [title],
      run: () => (run ? run(editor, ui) : pressShortcut(editor.view.dom, keys)),
    }))
}

function isFor({ keys }: ShortcutLine, { editor, canEdit, canComment }: PaletteSourceProps): boolean {
  if (editor.isEditable) return true
  const [key = ''] = keys
  const isMode = canEdit && editingModes.some((mode) => modeAppearances[mode].shortcut === key)
  return isMode || keysOfReaders.includes(key) || (canComment && keysOfCommenters.includes(key))
}

async function ask({ connection, editor, panel }: PaletteSourceProps, request: string): Promise<void> {
  const { document, room } = connection
  panel.showChat()
  const conversation = currentConversation(document, room.get())
  await sendMessage(request, { document, conversation, editor }).catch((error: unknown) => {
    // The message can be sent from the box after the reason is resolved.
    draftsUnder(`chat ${document}`).set(messageKey, request)
    showError(error)
  })
}
