import { CfnRegistry, CfnSchema } from 'aws-cdk-lib/aws-eventschemas';
import { Construct } from 'constructs';
import { openApiOf } from '#infra/events/schemas';
import { ALL_EVENTS } from '#lib/event/events';
import { EVENT_SOURCE } from '#lib/item/outbox-event';

/** The schemas of all events; EventBridge generates code for subscribers from them. */
export class EventSchemas extends Construct {
  /** @param name name of the registry, which CloudFormation does not generate */
  constructor(scope: Construct, id: string, name: string) {
    super(scope, id);
    const registry = new CfnRegistry(this, 'Registry', {
      registryName: name,
      description: 'The events of the accounts of this instance',
    });
    for (const event of ALL_EVENTS)
      new CfnSchema(this, event.type, {
        registryName: registry.attrRegistryName,
        schemaName: `${EVENT_SOURCE}@${event.type}`,
        type: 'OpenApi3',
        description: event.summary,
        content: JSON.stringify(openApiOf(event)),
      });
  }
}
