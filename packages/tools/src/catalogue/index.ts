import type { Tool } from '../tool/define-tool.ts'
import { addComment } from './add-comment.ts'
import { applyFormatting } from './apply-formatting.ts'
import { createFile } from './create-file.ts'
import { decideChange } from './decide-change.ts'
import { deleteBlocks } from './delete-blocks.ts'
import { editDocument } from './edit-document.ts'
import { editFile } from './edit-file.ts'
import { editFrontmatter } from './edit-frontmatter.ts'
import { editTable } from './edit-table.ts'
import { findFiles } from './find-files.ts'
import { getDocument } from './get-document.ts'
import { getDocumentInfo } from './get-document-info.ts'
import { highlightText } from './highlight-text.ts'
import { insertImage } from './insert-image.ts'
import { insertMath } from './insert-math.ts'
import { insertText } from './insert-text.ts'
import { listFiles } from './list-files.ts'
import { moveBlocks } from './move-blocks.ts'
import { readChanges } from './read-changes.ts'
import { readComments } from './read-comments.ts'
import { readDocument } from './read-document.ts'
import { readFile } from './read-file.ts'
import { readHistory } from './read-history.ts'
import { readSelection } from './read-selection.ts'
import { readWebPage } from './read-web-page.ts'
import { replaceText } from './replace-text.ts'
import { replyToComment } from './reply-to-comment.ts'
import { resolveComment } from './resolve-comment.ts'
import { scrollTo } from './scroll-to.ts'
import { searchDocument } from './search-document.ts'
import { searchImage } from './search-image.ts'
import { searchWeb } from './search-web.ts'
import { searchFiles } from './search-files.ts'
import { setTitle } from './set-title.ts'
import { suggestDeletion } from './suggest-deletion.ts'
import { suggestInsertion } from './suggest-insertion.ts'
import { suggestReplacement } from './suggest-replacement.ts'
import { undoChanges } from './undo-changes.ts'
import { updatePlan } from './update-plan.ts'
import { updateSection } from './update-section.ts'

/** All tools. The host chooses which of them a run is offered. */
export const catalogue: readonly Tool[] = [
  readDocument,
  searchDocument,
  getDocument,
  getDocumentInfo,
  readSelection,
  editDocument,
  insertText,
  replaceText,
  applyFormatting,
  updateSection,
  deleteBlocks,
  moveBlocks,
  editTable,
  setTitle,
  editFrontmatter,
  insertMath,
  insertImage,
  readChanges,
  readComments,
  addComment,
  replyToComment,
  resolveComment,
  suggestReplacement,
  suggestInsertion,
  suggestDeletion,
  decideChange,
  readHistory,
  undoChanges,
  highlightText,
  scrollTo,
  listFiles,
  findFiles,
  searchFiles,
  readFile,
  editFile,
  createFile,
  updatePlan,
  searchWeb,
  readWebPage,
  searchImage,
]
