/** Part of the service that a check shows on AWS; the names of rows in the table of parts. */
export type Part = 'service' | 'commands' | 'template' | 'grants' | 'logs' | 'monitoring' | 'data' | 'events';

/** A command on a deployed stack, and what it prints if the stack works as documented. */
export interface Check {
  readonly id: string;
  readonly part: Part;
  /** What it shows, as the end of a sentence that begins with "shows that". */
  readonly shows: string;
  /** For bash, with `$STACK`, `$AWS_REGION`, and the functions of {@link PRELUDE}. */
  readonly command: string;
  /** What the output matches. */
  readonly expect: RegExp;
  /** The same for people. */
  readonly expected: string;
  /** How long it is repeated until its output matches; once by default. */
  readonly withinSeconds?: number;
  /** Variable without which it is not run. */
  readonly requires?: string;
}

/** What each command begins with: an output of the stack, and an operator command. */
export const PRELUDE = [
  `out() { aws cloudformation describe-stacks --stack-name $STACK --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue" --output text; }`,
  'admin() { npm run -s admin -- --stack $STACK --region $AWS_REGION "$@"; }',
  `physical() { aws cloudformation list-stack-resources --stack-name $STACK --output text --query "StackResourceSummaries[?starts_with(LogicalResourceId,'$1') && ResourceType=='$2'].PhysicalResourceId"; }`,
].join('\n');

const LOGS = 'LOGS=$(physical Observabilityfunctions AWS::Logs::LogGroup)';
const ALARMS = ['page-undelivered-events', 'ticket-lockouts', 'part-probe-failed'];
const TRIAL = '/core-account/$STACK-trial';
const STATUS = 'echo "status $?"';

/** In the order in which they run. None prints a credential. */
export const CHECKS: readonly Check[] = [
  {
    id: 'deployed',
    part: 'template',
    shows: 'CloudFormation took the template',
    command:
      "aws cloudformation describe-stacks --stack-name $STACK --query 'Stacks[0].StackStatus' --output text",
    expect: /^(CREATE|UPDATE)_COMPLETE$/m,
    expected: '`CREATE_COMPLETE` or `UPDATE_COMPLETE`',
  },
  {
    id: 'resources',
    part: 'template',
    shows: 'each resource exists',
    command: `aws cloudformation list-stack-resources --stack-name $STACK --output json --query "StackResourceSummaries[?ResourceStatus!='CREATE_COMPLETE' && ResourceStatus!='UPDATE_COMPLETE'].[ResourceType,ResourceStatus]"`,
    expect: /^\[\]$/m,
    expected: '`[]`',
  },
  {
    id: 'doctor',
    part: 'commands',
    shows: 'the instance is as configured',
    command: `admin doctor; ${STATUS}`,
    expect: /^status 0$/m,
    expected: 'a line for each check, then `status 0`',
    // The first rotations of both secrets.
    withinSeconds: 120,
  },
  {
    id: 'service',
    part: 'service',
    shows: 'every endpoint answers as documented; it creates accounts, and fails logins by the hundred',
    command:
      'BASE_URL=$(out ApiUrl) ADMIN_TOKEN=$(admin token create first-deployment admin --expires-in-days 1) npm test -- --project integration 2>&1 | tail -n 6; admin token delete first-deployment admin &>/dev/null',
    expect: /^(?!.*(failed|skipped)).*Tests .*\d+ passed/s,
    expected: 'no test failed, and none was skipped',
  },
  {
    id: 'log-streams',
    part: 'logs',
    shows: 'functions write streams with their names',
    command: `${LOGS}; aws logs describe-log-streams --log-group-name "$LOGS" --order-by LastEventTime --descending --no-paginate --limit 5 --query 'logStreams[].logStreamName' --output text`,
    expect: /\d{4}\/\d\d\/\d\d\/\S+-[a-z]+-[a-z-]+\[/,
    expected: 'streams such as `2026/11/29/<stack>-account-login[$LATEST]<ID>`',
  },
  {
    id: 'audit-lines',
    part: 'logs',
    shows: 'audit lines of functions reach the audit log',
    command: 'admin audit --since 24h --action account.login | tail -n 3',
    expect: /account\.login/,
    expected: 'entries of logins, at most a minute late',
    withinSeconds: 90,
  },
  {
    id: 'operator-lines',
    part: 'logs',
    shows: 'audit lines of operators reach the table',
    command:
      'TOKEN=$(admin token create audit-lines admin --expires-in-days 1); curl -s -H "Authorization: Token $TOKEN" "$(out ApiUrl)/api/core/audit/browse?action=admin%20token%20create" | grep -o \'"action":"admin token create"\' | head -n 1; admin token delete audit-lines admin &>/dev/null',
    expect: /"action":"admin token create"/,
    expected: '`"action":"admin token create"`',
    withinSeconds: 90,
  },
  {
    id: 'rotation',
    part: 'commands',
    shows: 'Secrets Manager rotates the signing key, and login signs with it',
    command: 'admin keys rotate --wait --json',
    expect: /"done":\s*true/,
    expected: '`"done": true`',
  },
  {
    id: 'resource-rotation',
    part: 'commands',
    shows: 'Secrets Manager rotates the keys of tokens for other services',
    command: 'admin keys rotate --resources --wait --json',
    expect: /"done":\s*true/,
    expected: '`"done": true`',
  },
  {
    id: 'grants',
    part: 'grants',
    shows: 'no role lacks a grant; after the checks above',
    command: `${LOGS}; aws logs filter-log-events --log-group-name "$LOGS" --filter-pattern AccessDenied --query 'length(events)' --output text`,
    expect: /^0$/m,
    expected: '`0`',
  },
  ...(['each', 'whole'] as const).map(
    (kind): Check => ({
      id: `transactions-${kind}`,
      part: 'grants',
      shows: 'how AWS judges [transactions](../decisions/2026-11-26-judged-transactions.md#consequences)',
      command: `bash infra/first-deployment/transactions.sh ${kind} 2>&1`,
      expect: /permitted|AccessDeniedException/,
      expected: '`permitted` or `AccessDeniedException`',
      requires: 'ROLE',
    }),
  ),
  {
    id: 'nested-path',
    part: 'grants',
    shows: 'nested paths are no attributes of their own',
    command: 'bash infra/first-deployment/transactions.sh path 2>&1',
    expect: /ConditionalCheckFailedException/,
    expected: '`ConditionalCheckFailedException`',
    requires: 'ROLE',
  },
  {
    id: 'web-identity',
    part: 'grants',
    shows: 'a token that AWS issues for a role has what a trust compares',
    command: `aws sts get-web-identity-token --audience "$(out ApiUrl)" --signing-algorithm RS256 --duration-seconds 60 --query WebIdentityToken --output text | node -e '
const [head, body] = require("fs").readFileSync(0, "utf8").split(".").slice(0, 2).map((part) => JSON.parse(Buffer.from(part, "base64url")));
console.log(head.alg, body.exp - body.iat, body.iss === process.env.ISSUER, [body.aud].flat().length, typeof body.jti, /^arn:aws:iam::\\d+:(role|user)\\//.test(body.sub))'`,
    expect: /^RS256 60 true 1 string true$/m,
    expected: '`RS256 60 true 1 string true`',
    requires: 'ISSUER',
  },
  {
    id: 'alarms',
    part: 'monitoring',
    shows: 'alarms reach their topics; a part triggers the composite alarm',
    command: `for NAME in ${ALARMS.join(' ')}; do
  aws cloudwatch set-alarm-state --alarm-name $STACK-$NAME --state-value ALARM --state-reason trial
done
aws cloudwatch describe-alarms --alarm-types CompositeAlarm --alarm-names $STACK-page-outage --query 'CompositeAlarms[0].StateValue' --output text
for NAME in page-undelivered-events ticket-lockouts page-outage; do
  aws cloudwatch describe-alarm-history --alarm-name $STACK-$NAME --alarm-types MetricAlarm CompositeAlarm --history-item-type Action --max-items 1 --query 'AlarmHistoryItems[0].HistorySummary' --output text
done`,
    expect: /ALARM[\s\S]*(Successfully executed action[\s\S]*){3}/,
    expected:
      '`ALARM`, then three times `Successfully executed action`; three e-mails arrive, and three for `OK`',
    withinSeconds: 60,
  },
  {
    id: 'rollback-triggers',
    part: 'monitoring',
    shows: 'CloudFormation watches the alarms that page',
    command: `eval "$(out RollbackTriggersCommand)" >/dev/null && aws cloudformation wait stack-update-complete --stack-name $STACK
aws cloudformation describe-stacks --stack-name $STACK --query 'Stacks[0].RollbackConfiguration.MonitoringTimeInMinutes' --output text`,
    expect: /^10$/m,
    expected: '`10`',
  },
  {
    id: 'probe',
    part: 'monitoring',
    shows: 'a missing probe pages; after five minutes',
    command: `RULE=$(physical monitoringprobe AWS::Events::Rule); aws events disable-rule --name "$RULE"; sleep 300
aws cloudwatch describe-alarms --alarm-names $STACK-part-probe-failed --query 'MetricAlarms[0].StateValue' --output text
aws events enable-rule --name "$RULE"`,
    expect: /^(ALARM|INSUFFICIENT_DATA)$/m,
    expected: '`ALARM`',
  },
  {
    id: 'restore',
    part: 'data',
    shows: 'a restored table is mended',
    command: `TABLE=$(out TableName)
aws dynamodb restore-table-to-point-in-time --source-table-name $TABLE --target-table-name $STACK-trial --use-latest-restorable-time >/dev/null
aws dynamodb wait table-exists --table-name $STACK-trial
admin restore check --table $STACK-trial --mend; admin restore check --table $STACK-trial; ${STATUS}
aws dynamodb update-table --no-deletion-protection-enabled --table-name $STACK-trial >/dev/null
aws dynamodb delete-table --table-name $STACK-trial >/dev/null`,
    expect: /^status 0$/m,
    expected: 'what was added, then `status 0`',
  },
  {
    id: 'replay',
    part: 'events',
    shows: 'the archive replays events; ten minutes after them',
    command: `BUS=$(out EventBusName); aws logs create-log-group --log-group-name ${TRIAL}
ARN=$(aws logs describe-log-groups --log-group-name-prefix ${TRIAL} --query 'logGroups[0].logGroupArn' --output text)
aws logs put-resource-policy --policy-name $STACK-trial --policy-document "{\\"Version\\":\\"2012-10-17\\",\\"Statement\\":[{\\"Effect\\":\\"Allow\\",\\"Principal\\":{\\"Service\\":[\\"events.amazonaws.com\\",\\"delivery.logs.amazonaws.com\\"]},\\"Action\\":[\\"logs:CreateLogStream\\",\\"logs:PutLogEvents\\"],\\"Resource\\":\\"$ARN:*\\"}]}" >/dev/null
aws events put-rule --event-bus-name $BUS --name trial --event-pattern '{"source":["core.account"]}' >/dev/null
aws events put-targets --event-bus-name $BUS --rule trial --targets "Id=log,Arn=$ARN" >/dev/null
admin events replay --since 24h --rule trial; sleep 60
aws logs filter-log-events --log-group-name ${TRIAL} --filter-pattern '"replay-name"' --max-items 1 --query 'length(events)' --output text
aws events remove-targets --event-bus-name $BUS --rule trial --ids log >/dev/null; aws events delete-rule --event-bus-name $BUS --name trial
aws logs delete-resource-policy --policy-name $STACK-trial; aws logs delete-log-group --log-group-name ${TRIAL}`,
    expect: /COMPLETED[\s\S]*^1$/m,
    expected: '`COMPLETED`, then `1`',
  },
];
