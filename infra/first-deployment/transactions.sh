# Finds out how AWS judges transactions and nested paths: infra/decisions/2026-11-26-judged-transactions.md. The calls check
# conditions of items that do not exist, so they write nothing. Each has a session policy, which limits the role further.
#
#   STACK=<name> ROLE=<ARN of a role with the policy of administrators> bash transactions.sh each | whole | path
set -u
TABLE=$(aws cloudformation describe-stacks --stack-name "$STACK" --output text \
  --query "Stacks[0].Outputs[?OutputKey=='TableName'].OutputValue")
ARN=$(aws dynamodb describe-table --table-name "$TABLE" --query Table.TableArn --output text)
statement() { echo "{\"Effect\":\"Allow\",\"Action\":\"dynamodb:$1\",\"Resource\":\"$ARN\",\"Condition\":{$2}}"; }
keys() { echo "\"ForAllValues:StringEquals\":{\"dynamodb:LeadingKeys\":[$1]}"; }
limited() {
  local POLICY="{\"Version\":\"2012-10-17\",\"Statement\":[$1]}"; shift
  local SESSION=$(aws sts assume-role --role-arn "$ROLE" --role-session-name probe --policy "$POLICY" --output text \
    --query 'Credentials.[AccessKeyId,SecretAccessKey,SessionToken]')
  (read -r AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN <<< "$SESSION"
    export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN; unset AWS_PROFILE; "$@" && echo permitted)
}
check() { echo "{\"ConditionCheck\":{\"TableName\":\"$TABLE\",\"Key\":{\"PK\":{\"S\":\"$1\"},\"SK\":{\"S\":\"-\"}},\"ConditionExpression\":\"attribute_not_exists(PK)\"}}"; }
BOTH="[$(check PROBE-A),$(check PROBE-B)]"

case $1 in
each) # A statement for each of two keys, and none for both.
  limited "$(statement ConditionCheckItem "$(keys '"PROBE-A"')"),$(statement ConditionCheckItem "$(keys '"PROBE-B"')")" \
    aws dynamodb transact-write-items --transact-items "$BOTH" ;;
whole) # A statement that requires both keys in one request.
  limited "$(statement ConditionCheckItem "$(keys '"PROBE-A","PROBE-B"'),\"ForAnyValue:StringEquals\":{\"dynamodb:LeadingKeys\":\"PROBE-A\"},\"ForAnyValue:StringLike\":{\"dynamodb:LeadingKeys\":\"*-B\"}")" \
    aws dynamodb transact-write-items --transact-items "$BOTH" ;;
path) # The top-level attribute only, of a nested path.
  limited "$(statement UpdateItem "\"ForAllValues:StringEquals\":{\"dynamodb:Attributes\":[\"PK\",\"SK\",\"a\"]}")" \
    aws dynamodb update-item --table-name "$TABLE" --key '{"PK":{"S":"PROBE-A"},"SK":{"S":"-"}}' \
    --update-expression 'SET a = :a' --expression-attribute-values '{":a":{"S":"-"}}' \
    --condition-expression 'attribute_exists(a.b.c)' ;;
esac
