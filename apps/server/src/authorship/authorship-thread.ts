import { answerRequests } from '../threads/thread-worker.ts'
import { type AuthorshipRequest, type AuthorshipResponse, createAuthorshipDesk } from './authorship-requests.ts'

/** The entry of the thread in which logs are read for who wrote what. */
answerRequests<AuthorshipRequest, AuthorshipResponse>(createAuthorshipDesk())
