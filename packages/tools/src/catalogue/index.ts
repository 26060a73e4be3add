import type { Tool } from '../define-tool.ts'
import { editDocument } from './edit-document.ts'
import { getDocumentInfo } from './get-document-info.ts'
import { insertText } from './insert-text.ts'
import { readDocument } from './read-document.ts'
import { searchDocument } from './search-document.ts'

/** Every tool that there is. Which of them a run is offered is the host's choice. */
export const catalogue: readonly Tool[] = [readDocument, searchDocument, getDocumentInfo, editDocument, insertText]
