/** What a reader of the document has to know before its first request; Markdown. */
export const INTRODUCTION = `Accounts, API tokens and sessions of a platform.

**Log in** with \`POST /api/core/account/login\`, and present the session token that it answers as
\`Authorization: Bearer\`; or present an API token as \`Authorization: Token\`. The other ways stand under the security
schemes: Basic with the user \`api\`, the cookie \`ptoken\`, and \`ptoken\` in the query, which is for closed networks
only. The strongest that a request has decides: the header, then the query, then the cookie.

**Token and account endpoints** answer in an envelope: \`success\`, \`message\`, \`requestID\`, \`executed_at\`, \`data\`.
System endpoints answer their payload alone. Every refusal has the envelope, with the reason in \`data.code\`.

**The gateway** answers by itself, without the envelope: an unknown route or method (404, \`{"message":"Not Found"}\`;
a trailing slash is an unknown route), more requests than it lets through (429), and a function that does not answer
(500, 503).

**Bodies** are strict JSON in UTF-8, of 256 KiB at most: no duplicate keys, no unknown properties, nesting at most 64
deep. Answers may gain fields.`;
