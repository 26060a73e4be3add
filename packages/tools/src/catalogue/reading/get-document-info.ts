import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { type DocumentInfo, documentInfo } from '../../context/document-info.ts'
import { shorten, success } from '../../common/result.ts'
import { localizable } from '../../common/localizable.ts'

/** Describes the document as a whole: size, languages, selection, people present, mode, frontmatter keys. */
export const getDocumentInfo = defineTool({
  name: 'get_document_info',
  description: 'Tells size, languages, who is here, and mode.',
  input: z.object({}),
  changes: false,
  activity: localizable`Looking at the document…`,
  handler(_input, session) {
    const read = documentInfo(session)
    if (!read.ok) return read
    const { info } = read
    return success(describe(info).join('\n'), localizable`${info.blocks} blocks, ${info.words} words`, info)
  },
})

function describe(info: DocumentInfo): string[] {
  return [
    `Title: ${info.title || '(none)'}`,
    `Blocks: ${info.blocks}, sections: ${info.sections}, words: ${info.words}, characters: ${info.characters}`,
    `Languages: ${listed(info.languages) || '(unknown)'}`,
    ...(info.codeLanguages.length > 0 ? [`Code: ${listed(info.codeLanguages)}`] : []),
    `Selection: ${describeSelection(info.selection)}`,
    `Here now: ${listed(info.people.map(({ name, kind }) => `${name} (${kind})`)) || 'nobody'}`,
    `Agent mode: ${info.mode}${info.canEdit ? '' : ' (the caller may not change the document)'}`,
    `Frontmatter: ${listed(info.frontmatterKeys) || '(none)'}`,
  ]
}

const longestList = 40

function listed(names: readonly string[]): string {
  const shown = names.slice(0, longestList).map((name) => shorten(name, 80))
  return shown.join(', ') + (names.length > shown.length ? ` and ${names.length - shown.length} more` : '')
}

function describeSelection(selection: DocumentInfo['selection']): string {
  if (!selection) return 'nothing is selected'
  if (selection.text === '') return `no text; the caret is in block [${selection.block}]`
  return `"${selection.text}" in block [${selection.block}]`
}
