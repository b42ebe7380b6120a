import { DomainName, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import type { Options } from '#infra/stages/options';

/** The custom domain of a stage, in TLS 1.2 and later; its name in the DNS is the operator's to set. */
export function domainOf(scope: Construct, { domainName, certificateArn }: Options): DomainName | undefined {
  if (domainName === '') return undefined;
  return new DomainName(scope, 'Domain', {
    domainName,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
}
