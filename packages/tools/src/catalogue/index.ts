import type { Tool } from '../tool/define-tool.ts'
import { getDocumentInfo } from './reading/get-document-info.ts'
import { getDocument } from './reading/get-document.ts'
import { readDocument } from './reading/read-document.ts'
import { readSelection } from './reading/read-selection.ts'
import { searchDocument } from './reading/search-document.ts'
import { applyFormatting } from './changing/apply-formatting.ts'
import { editDocument } from './changing/edit-document.ts'
import { insertImage } from './changing/insert-image.ts'
import { insertText } from './changing/insert-text.ts'
import { replaceText } from './changing/replace-text.ts'
import { updateSection } from './changing/update-section.ts'
import { deleteBlocks } from './structure/delete-blocks.ts'
import { editFrontmatter } from './structure/edit-frontmatter.ts'
import { editTable } from './structure/edit-table.ts'
import { insertMath } from './structure/insert-math.ts'
import { moveBlocks } from './structure/move-blocks.ts'
import { setTitle } from './structure/set-title.ts'
import { addComment } from './reviewing/add-comment.ts'
import { decideChange } from './reviewing/decide-change.ts'
import { readChanges } from './reviewing/read-changes.ts'
import { readComments } from './reviewing/read-comments.ts'
import { readHistory } from './reviewing/read-history.ts'
import { replyToComment } from './reviewing/reply-to-comment.ts'
import { resolveComment } from './reviewing/resolve-comment.ts'
import { suggestDeletion } from './reviewing/suggest-deletion.ts'
import { suggestInsertion } from './reviewing/suggest-insertion.ts'
import { suggestReplacement } from './reviewing/suggest-replacement.ts'
import { undoChanges } from './reviewing/undo-changes.ts'
import { highlightText } from './showing/highlight-text.ts'
import { scrollTo } from './showing/scroll-to.ts'
import { updatePlan } from './showing/update-plan.ts'
import { readWebPage } from './outside/read-web-page.ts'
import { searchImage } from './outside/search-image.ts'
import { searchWeb } from './outside/search-web.ts'
import { createFile } from './project/create-file.ts'
import { editFile } from './project/edit-file.ts'
import { findDefinition } from './project/find-definition.ts'
import { findFiles } from './project/find-files.ts'
import { findImporters } from './project/find-importers.ts'
import { listFiles } from './project/list-files.ts'
import { readFile } from './project/read-file.ts'
import { searchFiles } from './project/search-files.ts'

/** All tools. The host chooses the tools that it offers to a run. */
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
  findDefinition,
  findImporters,
  readFile,
  editFile,
  createFile,
  updatePlan,
  searchWeb,
  readWebPage,
  searchImage,
]
