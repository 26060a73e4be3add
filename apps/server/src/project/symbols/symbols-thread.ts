import { answerRequests } from '../../threads/thread-worker.ts'
import { parseFiles } from './parse-files.ts'

/** The entry of the thread that reads and parses the files of a project. */
answerRequests(parseFiles)
