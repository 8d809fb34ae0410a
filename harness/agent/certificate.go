package agent

import (
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"time"
)

// certificate is a self-signed certificate for an attacker's key, in DER. Its validity is wide, so that a
// Provider whose clock differs cannot refuse it for its dates.
func certificate(k *key) ([]byte, error) {
	now := time.Now()
	template := x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: k.kid},
		NotBefore:             now.AddDate(-1, 0, 0),
		NotAfter:              now.AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		BasicConstraintsValid: true,
	}
	return x509.CreateCertificate(rand.Reader, &template, &template, k.private.Public(), k.private)
}
