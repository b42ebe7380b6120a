import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/** A resource server with Nimbus JOSE + JWT, as its documentation has it: reads where it is, then a token a line. */
class Nimbus {
  public static void main(String[] args) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in));
    var place = JSONObjectUtils.parse(lines.readLine());
    var seconds = ((Number) place.get("cache")).longValue();
    var keys = JWKSourceBuilder.create(URI.create((String) place.get("jwks_uri")).toURL());
    if (seconds > 0) keys.cache(seconds * 1000, 15_000).refreshAheadCache(false).rateLimited(false);

    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("at+jwt")));
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(JWSAlgorithm.RS256, keys.build()));
    processor.setJWTClaimsSetVerifier(
        new DefaultJWTClaimsVerifier<>(
            (String) place.get("audience"),
            new JWTClaimsSet.Builder().issuer((String) place.get("issuer")).build(),
            Set.of("sub", "iat", "exp", "jti", "client_id")));

    for (String line; (line = lines.readLine()) != null; ) {
      Map<String, Object> answer;
      try {
        var claims = processor.process(line, null);
        var found = Map.of("sub", claims.getSubject(), "roles", claims.getStringListClaim("roles"));
        answer = Map.of("accepted", found);
      } catch (Exception error) {
        answer = Map.of("refused", String.valueOf(error.getMessage()));
      }
      System.out.println(JSONObjectUtils.toJSONString(answer));
      System.out.flush();
    }
  }
}
