import { Duration } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { DEAD_LETTER_DAYS } from '../stages/options.ts';

/** A queue for failed work, without a consumer. */
export const deadLetters = (scope: Construct, id: string, key?: IKey) =>
  new Queue(scope, id, {
    retentionPeriod: Duration.days(DEAD_LETTER_DAYS),
    ...(key
      ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
      : { encryption: QueueEncryption.SQS_MANAGED }),
    enforceSSL: true,
  });

/** Permits EventBridge to send the events that a rule or a bus cannot deliver to a queue. */
export const acceptFrom = (queue: Queue, sourceArn: string) =>
  queue.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnEquals: { 'aws:SourceArn': sourceArn } },
    }),
  );
