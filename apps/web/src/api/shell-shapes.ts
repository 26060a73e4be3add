export { AuthOptions, CreateSession, DocumentList, DocumentSummary, ErrorBody, Me, Session } from '@copydesk/protocol'
