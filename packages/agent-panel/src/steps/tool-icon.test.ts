import { expect, test } from 'vitest'
import { toolIcon } from './tool-icon.tsx'

test.each([
  ['read_document', 'read'],
  ['read_comments', 'read'],
  ['get_document_info', 'read'],
  ['search_document', 'search'],
  ['edit_document', 'pencil'],
  ['insert_text', 'pencil'],
  ['suggest_replacement', 'pencil'],
  ['delete_blocks', 'trash'],
  ['insert_image', 'image'],
  ['apply_formatting', 'format'],
  ['add_comment', 'comment'],
  ['reply_to_comment', 'comment'],
  ['decide_change', 'check'],
  ['highlight_text', 'eye'],
  ['scroll_to', 'eye'],
  ['update_plan', 'plan'],
  ['undo_changes', 'undo'],
  ['getWeather', 'read'],
  ['frobnicate', 'tools'],
])('%s has the icon %s', (tool, icon) => {
  expect(toolIcon(tool)).toBe(icon)
})
