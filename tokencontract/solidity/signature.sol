// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;
pragma abicoder v1;

/// @notice Whether an account signed a digest: ECDSA for an account without code, ERC-1271 for one with code.
/// @dev An EIP-7702 account has code, so its signatures take the ERC-1271 path.
library Signature {
    uint256 private constant HALF_CURVE_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;
    bytes4 private constant IS_VALID_SIGNATURE = 0x1626ba7e;

    function isValid(address signer, bytes32 digest, bytes memory signature) internal view returns (bool) {
        if (signer.code.length == 0) {
            return recover(digest, signature) == signer;
        }
        (bool ok, bytes memory result) =
            signer.staticcall(abi.encodeWithSelector(IS_VALID_SIGNATURE, digest, signature));
        return ok && result.length >= 32 && bytes32(result) == bytes32(IS_VALID_SIGNATURE);
    }

    /// @notice The address that signed; reverts where the signature is not 65 bytes, is high in s, or has a v other than 27 and 28.
    function recover(bytes32 digest, bytes memory signature) private pure returns (address) {
        require(signature.length == 65, "ECRecover: invalid signature length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        require(uint256(s) <= HALF_CURVE_ORDER, "ECRecover: invalid signature 's' value");
        require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0), "ECRecover: invalid signature");
        return signer;
    }
}
