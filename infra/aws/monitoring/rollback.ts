import { Aws } from 'aws-cdk-lib';
import { type AlarmBase, CompositeAlarm } from 'aws-cdk-lib/aws-cloudwatch';

/** How long CloudFormation watches the alarms after an update, in minutes. */
const WATCHED_MINUTES = 10;

/**
 * Command that makes CloudFormation roll an update back when an alarm that pages fires during it or soon after. It is
 * run once: CloudFormation keeps the triggers for all later updates.
 */
export function rollbackTriggers(stackName: string, alarms: readonly AlarmBase[]): string {
  const triggers = alarms.map(
    (alarm) =>
      `{"Arn":"${alarm.alarmArn}","Type":"AWS::CloudWatch::${alarm instanceof CompositeAlarm ? 'CompositeAlarm' : 'Alarm'}"}`,
  );
  const rollback = `{"RollbackTriggers":[${triggers.join()}],"MonitoringTimeInMinutes":${WATCHED_MINUTES}}`;
  return `aws cloudformation update-stack --stack-name ${stackName} --region ${Aws.REGION} --use-previous-template --capabilities CAPABILITY_IAM --rollback-configuration '${rollback}'`;
}
