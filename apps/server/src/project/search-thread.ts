import { answerRequests } from '../threads/thread-worker.ts'
import { searchLines } from './search-lines.ts'

/** The entry of the thread that searches where ripgrep doesn't. */
answerRequests(searchLines)
